/**
 * Returns the same function, which repeats its last result while the argument stays the same. For pure functions whose argument is mostly
 * the same in successive requests, such as the client's address.
 */
export function rememberLast<Argument, Value>(work: (argument: Argument) => Value): (argument: Argument) => Value {
  let last: { readonly argument: Argument; readonly value: Value } | undefined;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, value: work(argument) };
    return last.value;
  };
}
