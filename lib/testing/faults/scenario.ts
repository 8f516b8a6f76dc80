import type { PgBouncer } from '@/lib/testing/fakes/pgbouncer';
import type { Cluster } from './cluster';
import type { World } from './world';

/** Where the product's processes find their database. */
export interface Layout {
  readonly cluster: Cluster;
  /** Port of the server or pooler that the processes are connected to. */
  readonly frontPort: number;
  /** Follows the cluster, for failovers. */
  readonly standby?: Cluster;
  /** A pooler in front of the cluster. */
  readonly pooler?: PgBouncer;
  /** A small disk that holds the cluster's data. */
  readonly disk?: string;
}

export interface LayoutOptions {
  /** The data folder to copy. */
  readonly template: string;
  /** An empty folder of the scenario's own. */
  readonly folder: string;
  /** Takes a step back when the scenario is over; the last one first. */
  readonly undo: (step: () => Promise<unknown>) => void;
}

export interface Scenario {
  readonly name: string;
  /** What happens, in a few words. */
  readonly what: string;
  /** How long after the end of the fault everything must work again, seconds. */
  readonly recoverySeconds: number;
  /** Another layout than one server. @returns a sentence if this machine cannot have it. */
  readonly layout?: (options: LayoutOptions) => Promise<Layout | string>;
  /** Causes the fault, lets it last, and ends it. */
  readonly fault: (world: World) => Promise<FaultEnd>;
}

export interface FaultEnd {
  /** The server that has the database now, if it is another one. */
  readonly survivor?: Cluster;
  /** What was wrong during the fault, in sentences; empty if nothing was. */
  readonly problems?: readonly string[];
}
