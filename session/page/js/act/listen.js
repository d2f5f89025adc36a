// Listeners of our own while an action runs. They sit on the window, first for
// what must be seen before the page can stop it, last for what the page has the
// first say in; the page cannot see them.

// during runs act between adding and removing listeners: [type, fn, capture].
export function during(page, listeners, act) {
  const end = add(page, listeners);
  try {
    return act();
  } finally {
    end();
  }
}

// throughout is during for an act that takes its time.
export async function throughout(page, listeners, act) {
  const end = add(page, listeners);
  try {
    return await act();
  } finally {
    end();
  }
}

function add({ window, native }, listeners) {
  for (let i = 0; i < listeners.length; i++) native.call(window, "addEventListener", listeners[i][0], listeners[i][1], listeners[i][2]);
  return () => {
    for (let i = 0; i < listeners.length; i++) native.call(window, "removeEventListener", listeners[i][0], listeners[i][1], listeners[i][2]);
  };
}

// origin is where an event really started, inside shadow trees too.
export const origin = (page, event) => page.native.call(event, "composedPath")[0];
