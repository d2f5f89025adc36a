// Built-ins, taken once when the agent is installed. Behind Xray wrappers they
// are the sandbox's own and honest. In the page's realm they are whatever the
// page has made of them by then; taken now, they at least cannot change under a
// running agent. Modules therefore lean on syntax (loops, a[a.length] = x, null
// prototypes) where syntax will do.

const NOTHING = [];

export function takeBuiltins(window) {
  const { apply, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const protos = Object.create(null);
  // The prototype of an interface, found from a live object where there is one,
  // because a page may have put anything under the interface's name.
  const proto = (name) => {
    if (!(name in protos)) protos[name] = window[name]?.prototype ?? null;
    return protos[name];
  };
  return {
    apply,
    getPrototypeOf,
    promise: getPrototypeOf((async () => {})()),
    // getter(name, key) reads an attribute past what shadows it on the object
    // itself: a form's own controls, a document's named images, a page's
    // defineProperty on one element.
    getter(name, key) {
      const get = proto(name) && getOwnPropertyDescriptor(proto(name), key)?.get;
      if (!get) return (object) => object[key];
      return (object) => apply(get, object, NOTHING);
    },
    // getterOf finds the getter on the object's own prototypes.
    getterOf(object, key) {
      for (let at = object; at; at = getPrototypeOf(at)) {
        const get = getOwnPropertyDescriptor(at, key)?.get;
        if (get) return (o) => apply(get, o, NOTHING);
      }
      return (o) => o[key];
    },
    // method1 is method for those of one argument, which are called most.
    method1(name, key) {
      const fn = proto(name)?.[key];
      if (typeof fn !== "function") return (object, a) => object[key](a);
      return (object, a) => apply(fn, object, [a]);
    },
    method(name, key) {
      const fn = proto(name)?.[key];
      if (typeof fn !== "function") return (object, ...args) => apply(object[key], object, args);
      return (object, ...args) => apply(fn, object, args);
    },
  };
}
