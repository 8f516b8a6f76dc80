import type { SimulationOptions } from './simulation/simulation';

interface RunningSimulator {
  readonly url: string;
  /** Credentials of an account that uses the simulator. */
  readonly credentials: object;
  /** The requests that the simulator answers, such as `GET /v1/payments/:reference`. */
  readonly routes: readonly string[];
  stop(): Promise<void>;
}

interface Simulator {
  readonly title: string;
  readonly start: (options: SimulationOptions) => Promise<RunningSimulator>;
}

/** The simulators that share the numbers of `simulation/behaviours.ts`, by provider. Each is loaded when it starts. */
export const SIMULATORS: Readonly<Record<string, Simulator>> = {
  snippe: { title: 'Snippe', start: async (options) => (await import('./snippe/simulator')).startSnippeSimulator(options) },
  clickpesa: { title: 'ClickPesa', start: async (options) => (await import('./clickpesa/simulator')).startClickpesaSimulator(options) },
  mixx: { title: 'Mixx by Yas', start: async (options) => (await import('./mixx/simulator')).startMixxSimulator(options) },
  pawapay: { title: 'pawaPay', start: async (options) => (await import('./pawapay/simulator')).startPawapaySimulator(options) },
  azampay: { title: 'AzamPay', start: async (options) => (await import('./azampay/simulator')).startAzampaySimulator(options) },
  airtel: { title: 'Airtel Money', start: async (options) => (await import('./airtel/simulator')).startAirtelSimulator(options) },
  selcom: { title: 'Selcom Checkout', start: async (options) => (await import('./selcom/simulator')).startSelcomSimulator(options) },
};
