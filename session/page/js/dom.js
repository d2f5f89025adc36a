// Reading the DOM past what the page can put in the way. A form's controls shadow
// the form's own members (<input name=parentNode>), images and forms with a name
// shadow the document's, and any page may define a property on one element; so
// every member is read with the getter of its interface, taken at install. It is
// also several times faster behind Xray wrappers than reading the property.

export function makeDOM(window, builtins) {
  const { getter, method } = builtins;
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
    contains: method("Node", "contains"),
    position: method("Node", "compareDocumentPosition"),
    data: getter("CharacterData", "data"),
    // Element
    tag: getter("Element", "localName"),
    space: getter("Element", "namespaceURI"),
    attr: method("Element", "getAttribute"),
    attrNS: method("Element", "getAttributeNS"),
    has: method("Element", "hasAttribute"),
    attrNames: method("Element", "getAttributeNames"),
    firstElement: getter("Element", "firstElementChild"),
    nextElement: getter("Element", "nextElementSibling"),
    matches: method("Element", "matches"),
    all: method("Element", "querySelectorAll"),
    one: method("Element", "querySelector"),
    rect: method("Element", "getBoundingClientRect"),
    shadowRoot: getter("Element", "shadowRoot"),
    labelledBy: getter("Element", "ariaLabelledByElements"),
    describedBy: getter("Element", "ariaDescribedByElements"),
    ownsElements: getter("Element", "ariaOwnsElements"),
    assigned: method("HTMLSlotElement", "assignedNodes"),
    inert: getter("HTMLElement", "inert"),
    editable: getter("HTMLElement", "isContentEditable"),
    // Document
    documentElement: getter("Document", "documentElement"),
    body: getter("Document", "body"),
    title: getter("Document", "title"),
    readyState: getter("Document", "readyState"),
    documentURI: getter("Document", "documentURI"),
    contentType: getter("Document", "contentType"),
    visibility: getter("Document", "visibilityState"),
    byId: method("Document", "getElementById"),
    queryAll: method("Document", "querySelectorAll"),
    query: method("Document", "querySelector"),
    active: getter("Document", "activeElement"),
    rootById: method("DocumentFragment", "getElementById"),
    rootActive: getter("ShadowRoot", "activeElement"),
    hostOf: getter("ShadowRoot", "host"),
    rootQueryAll: method("DocumentFragment", "querySelectorAll"),
  };
  const { getComputedStyle } = window;
  const { apply } = builtins;
  dom.style = (element, pseudo) => apply(getComputedStyle, window, pseudo ? [element, pseudo] : [element]);
  return dom;
}
