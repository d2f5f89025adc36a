// Members of controls and forms, reached past whatever stands in front of them:
// frameworks define their own value on an element, forms let a control named
// "submit" shadow a method, and components override accessors in a subclass.

// makeNative returns get, set and call. Each looks for the member on the most
// basic prototype that has it, which is the browser's own, and never on the
// object itself or on Object.prototype.
export function makeNative(builtins) {
  const { apply, getPrototypeOf } = builtins;
  const { getOwnPropertyDescriptor } = Reflect;

  const find = (object, key) => {
    let found;
    let proto = getPrototypeOf(object);
    for (let up = proto && getPrototypeOf(proto); up; proto = up, up = getPrototypeOf(proto)) {
      found = getOwnPropertyDescriptor(proto, key) ?? found;
    }
    return found;
  };

  return {
    __proto__: null,
    get(object, key) {
      const member = find(object, key);
      return member?.get ? apply(member.get, object, []) : member?.value;
    },
    set(object, key, value) {
      const member = find(object, key);
      if (member?.set) apply(member.set, object, [value]);
    },
    call(object, key, ...args) {
      return apply(find(object, key).value, object, args);
    },
    can: (object, key) => typeof find(object, key)?.value === "function",
  };
}
