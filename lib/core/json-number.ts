/** The source text of a JSON number. A float cannot hold every amount: it rounds 5000.000000000000000001 to 5000. */
export class JsonNumber {
  constructor(readonly text: string) {}
}
