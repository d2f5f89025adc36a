// Reading the DOM past what the page can put in the way. A form's controls shadow
// the form's own members (<input name=parentNode>), images and forms with a name
// shadow the document's, and any page may define a property on one element; so
// every member is read with the getter of its interface, taken at install. It is
// also several times faster behind Xray wrappers than reading the property.

export function makeDOM(window, builtins) {
  const { getter, method, method1 } = builtins;
  const assignedSlot = { __proto__: null, 1: getter("Element", "assignedSlot"), 3: getter("Text", "assignedSlot") };
  const kindOf = getter("Node", "nodeType");
  const dom = {
    __proto__: null,
    // Node
    parent: getter("Node", "parentNode"),
    kids: getter("Node", "childNodes"),
    first: getter("Node", "firstChild"),
    next: getter("Node", "nextSibling"),
    previous: getter("Node", "previousSibling"),
    kind: getter("Node", "nodeType"),
    nodeName: getter("Node", "nodeName"),
    text: getter("Node", "textContent"),
    connected: getter("Node", "isConnected"),
    owner: getter("Node", "ownerDocument"),
    root: method("Node", "getRootNode"),
    contains: method1("Node", "contains"),
    position: method1("Node", "compareDocumentPosition"),
    data: getter("CharacterData", "data"),
    // Element
    tag: getter("Element", "localName"),
    space: getter("Element", "namespaceURI"),
    attr: method1("Element", "getAttribute"),
    attrNS: method("Element", "getAttributeNS"),
    has: method1("Element", "hasAttribute"),
    attrNames: method("Element", "getAttributeNames"),
    firstElement: getter("Element", "firstElementChild"),
    previousElement: getter("Element", "previousElementSibling"),
    nextElement: getter("Element", "nextElementSibling"),
    matches: method1("Element", "matches"),
    all: method1("Element", "querySelectorAll"),
    one: method1("Element", "querySelector"),
    rect: method("Element", "getBoundingClientRect"),
    shadowRoot: getter("Element", "shadowRoot"),
    labelledBy: getter("Element", "ariaLabelledByElements"),
    describedBy: getter("Element", "ariaDescribedByElements"),
    ownsElements: getter("Element", "ariaOwnsElements"),
    control: getter("HTMLLabelElement", "control"),
    slot: (node) => assignedSlot[kindOf(node)](node),
    assigned: method("HTMLSlotElement", "assignedNodes"),
    inert: getter("HTMLElement", "inert"),
    editable: getter("HTMLElement", "isContentEditable"),
    // Controls
    inputType: getter("HTMLInputElement", "type"),
    inputValue: getter("HTMLInputElement", "value"),
    checked: getter("HTMLInputElement", "checked"),
    mixed: getter("HTMLInputElement", "indeterminate"),
    list: getter("HTMLInputElement", "list"),
    files: getter("HTMLInputElement", "files"),
    buttonType: getter("HTMLButtonElement", "type"),
    areaValue: getter("HTMLTextAreaElement", "value"),
    selectSize: getter("HTMLSelectElement", "size"),
    selectedOptions: getter("HTMLSelectElement", "selectedOptions"),
    options: getter("HTMLSelectElement", "options"),
    selected: getter("HTMLOptionElement", "selected"),
    optionLabel: getter("HTMLOptionElement", "label"),
    optionValue: getter("HTMLOptionElement", "value"),
    meterValue: getter("HTMLMeterElement", "value"),
    progressValue: getter("HTMLProgressElement", "value"),
    popoverTarget: getter("HTMLButtonElement", "popoverTargetElement"),
    anchorHref: getter("HTMLAnchorElement", "href"),
    areaHref: getter("HTMLAreaElement", "href"),
    base: getter("Node", "baseURI"),
    // Document
    documentElement: getter("Document", "documentElement"),
    body: getter("Document", "body"),
    title: getter("Document", "title"),
    readyState: getter("Document", "readyState"),
    documentURI: getter("Document", "documentURI"),
    contentType: getter("Document", "contentType"),
    visibility: getter("Document", "visibilityState"),
    byId: method1("Document", "getElementById"),
    queryAll: method1("Document", "querySelectorAll"),
    query: method1("Document", "querySelector"),
    active: getter("Document", "activeElement"),
    rootById: method1("DocumentFragment", "getElementById"),
    rootActive: getter("ShadowRoot", "activeElement"),
    hostOf: getter("ShadowRoot", "host"),
    rootQueryAll: method1("DocumentFragment", "querySelectorAll"),
  };
  const { getComputedStyle } = window;
  const { apply } = builtins;
  dom.style = (element, pseudo) => apply(getComputedStyle, window, pseudo ? [element, pseudo] : [element]);
  dom.css = makeCSS(dom, builtins, window.document);
  return dom;
}

const PROPERTIES = ["display", "visibility", "cursor", "contentVisibility", "textTransform", "content"];

// The getters of a computed style's properties. Their interface has had several
// names, so that they are found from a style.
function makeCSS(dom, builtins, document) {
  const css = { __proto__: null };
  const root = dom.documentElement(document);
  const sample = root && dom.style(root);
  for (let i = 0; i < PROPERTIES.length; i++) {
    const key = PROPERTIES[i];
    css[key] = builtins.getterOf(sample, key);
  }
  return css;
}
