/** A number as it is written in a JSON text. A float cannot hold every amount: it rounds 5000.000000000000000001 to 5000. */
export class JsonNumber {
  constructor(readonly text: string) {}
}
