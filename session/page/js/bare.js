// A page may have put setters on Object.prototype, and they would get what an
// object of ours is given. Objects made by a class that is bare inherit nothing.

const { setPrototypeOf } = Reflect;

export function bare(type) {
  setPrototypeOf(type.prototype, null);
}
