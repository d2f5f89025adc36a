// SHA-256 (FIPS 180-4), fed piece by piece. The browser's own is no choice:
// crypto.subtle is missing on plain http pages, takes only whole messages, and
// in the page's realm may be the page's.

// The first 32 bits of the fractional parts of the square roots of the first 8
// primes, and of the cube roots of the first 64. Computed, so that no digit can
// be mistyped, and at first use, so that a page which has spoilt the typed
// arrays spoils its uploads and not the whole agent.
let START;
let ROUND;

function prepare() {
  START = new Int32Array(8);
  ROUND = new Int32Array(64);
  for (let n = 2, found = 0; found < 64; n++) {
    if (!isPrime(n)) continue;
    if (found < 8) START[found] = fraction(n ** (1 / 2));
    ROUND[found++] = fraction(n ** (1 / 3));
  }
}

function isPrime(n) {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return false;
  return true;
}

function fraction(x) {
  return ((x - (x | 0)) * 0x100000000) | 0;
}

const HEX = "0123456789abcdef";

export class SHA256 {
  #state;
  #words;
  #rest; // what does not fill a block yet
  #held = 0; // bytes in rest
  #length = 0; // bytes in all

  constructor() {
    if (!ROUND) prepare();
    this.#state = new Int32Array(START);
    this.#words = new Int32Array(64);
    this.#rest = new Uint8Array(64);
  }

  // update takes a Uint8Array of the agent's own realm: one behind a wrapper
  // would be read a hundred times slower.
  update(bytes) {
    const n = bytes.length;
    let i = 0;
    this.#length += n;
    if (this.#held > 0) {
      while (i < n && this.#held < 64) this.#rest[this.#held++] = bytes[i++];
      if (this.#held < 64) return;
      this.#block(this.#rest, 0);
      this.#held = 0;
    }
    for (; i + 64 <= n; i += 64) this.#block(bytes, i);
    while (i < n) this.#rest[this.#held++] = bytes[i++];
  }

  // hex pads the message and gives the digest. The hash is spent afterwards.
  hex() {
    const bits = this.#length * 8;
    const rest = this.#rest;
    rest[this.#held++] = 0x80;
    if (this.#held > 56) {
      while (this.#held < 64) rest[this.#held++] = 0;
      this.#block(rest, 0);
      this.#held = 0;
    }
    while (this.#held < 64) rest[this.#held++] = 0;
    for (let i = 0, high = bits / 0x100000000, low = bits; i < 4; i++) {
      rest[56 + i] = high >>> (24 - 8 * i);
      rest[60 + i] = low >>> (24 - 8 * i);
    }
    this.#block(rest, 0);
    let out = "";
    for (let i = 0; i < 8; i++) for (let k = 28; k >= 0; k -= 4) out += HEX[(this.#state[i] >>> k) & 15];
    return out;
  }

  #block(bytes, at) {
    const w = this.#words;
    const s = this.#state;
    const k = ROUND; // a local is read faster than a variable of the module
    for (let i = 0, p = at; i < 16; i++, p += 4) w[i] = (bytes[p] << 24) | (bytes[p + 1] << 16) | (bytes[p + 2] << 8) | bytes[p + 3];
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15];
      const y = w[i - 2];
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
    }
    let a = s[0];
    let b = s[1];
    let c = s[2];
    let d = s[3];
    let e = s[4];
    let f = s[5];
    let g = s[6];
    let h = s[7];
    for (let i = 0; i < 64; i++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + k[i] + w[i]) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    s[0] = (s[0] + a) | 0;
    s[1] = (s[1] + b) | 0;
    s[2] = (s[2] + c) | 0;
    s[3] = (s[3] + d) | 0;
    s[4] = (s[4] + e) | 0;
    s[5] = (s[5] + f) | 0;
    s[6] = (s[6] + g) | 0;
    s[7] = (s[7] + h) | 0;
  }
}
