/**
 * Returns a function that calls `work` only if the argument differs from the last one, and otherwise returns the last result again. For
 * pure functions whose argument is mostly the same in successive requests, such as the client's address.
 */
export function rememberLast<Argument, Value>(work: (argument: Argument) => Value): (argument: Argument) => Value {
  let last: { readonly argument: Argument; readonly value: Value } | undefined;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, value: work(argument) };
    return last.value;
  };
}
