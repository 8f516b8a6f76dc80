/** An error whose message is meant for the person who runs a command. It is shown without a stack. */
export class ExpectedError extends Error {}
