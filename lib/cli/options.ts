import { Option } from 'commander';

/** Every command takes it. */
export const jsonOption = () => new Option('--json', 'print JSON').default(false);

export interface JsonFlag {
  readonly json: boolean;
}
