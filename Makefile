# Everything that is done to this project is a target here. `make` lists them.

BINARY := firefox-rdp-mcp
LINT   := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
JS     := session/page

# A real browser on a busy machine now and then takes longer than a test allows.
# Such a test is run again, at most twice, and named in the summary.
TEST   := go run gotest.tools/gotestsum@v1.13.0 --format=pkgname --rerun-fails=2 --rerun-fails-max-failures=5

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## build the binary, static, into this folder
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o $(BINARY) .

.PHONY: demo
demo: firefox build ## show the main job in a throw-away Firefox, through a real MCP client
	go run ./internal/demo ./$(BINARY)

.PHONY: test
test: firefox check-go check-js test-go test-old cross ## run everything: checks, unit tests, real Firefox, both ESRs

.PHONY: firefox
firefox: # install a Firefox and Node.js when there is none
	@.ci/install

.PHONY: check-go
check-go: # format, modules, vet, lint: fastest first
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo 'run gofmt -w on these'; exit 1; }
	go mod tidy -diff
	go mod verify
	go vet ./...
	$(LINT) run ./...

.PHONY: check-js
check-js: # lint and tests of the page scripts, and that the bundle is made of them
	cd $(JS) && npm ci --no-audit --no-fund --silent && npm run --silent lint && npm test --silent
	go generate ./$(JS) && git diff --exit-code -- $(JS)/agent.gen.js

.PHONY: test-go
test-go: # Go tests with the race detector, real Firefox included; two packages at a time, since each starts a browser
	$(TEST) --packages=./... -- -race -shuffle=on -p=2 -timeout=20m

.PHONY: test-old
test-old: # the real-Firefox tests but the longest on the older ESR, where the distribution has one
	@old=$$(.ci/older-firefox) && if [ -n "$$old" ]; then \
	    echo "older Firefox: $$("$$old" --version)"; \
	    FIREFOX="$$old" $(TEST) --packages="./internal/firefoxtest ./router ./session ./session/page" -- -short -count=1 -p=2 -timeout=15m; \
	fi

.PHONY: cross
cross: # builds for the other systems
	GOOS=darwin go vet ./supervisor/... . && GOOS=windows go vet ./supervisor/... .

.PHONY: faults
faults: firefox ## break the connection and the browser in every way, at every moment, of every kind of call; prints the tables
	FAULTS=all go test -count=1 -timeout=60m -v -run='Matrix' ./internal/faultbench/

.PHONY: soak
soak: firefox ## mixed calls under faults at random for SOAK (30m; SEED replays one), then a look for what was left behind
	SOAK=$${SOAK:-30m} go test -count=1 -timeout=120m -v -run='Soak' ./internal/faultbench/

.PHONY: bench
bench: firefox ## benchmarks: protocol, agent and start-up, each beside its floor in the same run
	go test -run='^$$' -bench=. -benchmem -timeout=30m ./...

.PHONY: fuzz
fuzz: ## ten seconds of each fuzz target (FUZZTIME=10m for more)
	@for f in $$(grep -rl --include='*_test.go' '^func Fuzz' .); do \
	    for name in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/p' $$f); do \
	        echo "$$name"; go test -run='^$$' -fuzz="^$$name$$" -fuzztime=$${FUZZTIME:-10s} ./$$(dirname $$f) || exit 1; \
	    done; \
	done

.PHONY: golden
golden: ## rewrite the golden files; read the diff
	go test ./session -run='Golden|Sites' -update
	go test ./tools/ ./session/outline/ -update

.PHONY: generate
generate: ## bundle the page scripts anew
	go generate ./...

.PHONY: clean
clean: ## remove what the other targets made
	rm -rf $(BINARY) $(JS)/node_modules
