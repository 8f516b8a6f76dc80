/** The source text of a JSON number. The text is exact: a float would round 5000.000000000000000001 to 5000. */
export class JsonNumber {
  constructor(readonly text: string) {}
}
