import type { PgBouncer } from '@/testing/fakes/pgbouncer';
import type { Cluster } from './cluster';
import type { World } from './world';

/** The database of the product's processes. */
export interface Layout {
  readonly cluster: Cluster;
  /** The port of the server or pooler to which the processes connect. */
  readonly frontPort: number;
  /** The standby, for failovers. */
  readonly standby?: Cluster;
  /** The pooler in front of the cluster. */
  readonly pooler?: PgBouncer;
  /** The small disk with the data of PostgreSQL, which a scenario can fill. */
  readonly disk?: string;
}

export interface LayoutOptions {
  /** The data folder to copy. */
  readonly template: string;
  /** An empty folder for the scenario. */
  readonly folder: string;
  /** Adds a clean-up step. When the scenario ends, the step that was added last runs first. */
  readonly undo: (step: () => Promise<unknown>) => void;
}

export interface Scenario {
  readonly name: string;
  /** A short description. */
  readonly what: string;
  /** How long after the end of the fault everything must work again, seconds. */
  readonly recoverySeconds: number;
  /** The maximum number of bills that clients create each second. A long fault needs a limit, because every client waits and repeats. */
  readonly perSecondMax?: number;
  /** Sets up more than the usual single database server. Returns the reason as a sentence if this machine does not support it. */
  readonly layout?: (options: LayoutOptions) => Promise<Layout | string>;
  /** Causes the fault, waits, and ends it. */
  readonly fault: (world: World) => Promise<FaultEnd>;
}

/** A scenario with customers and comparisons of its own. */
export interface Drive {
  readonly name: string;
  /** A short description. */
  readonly what: string;
  readonly drive: (options: LayoutOptions, size: DriveSize) => Promise<DriveResult>;
}

export interface DriveResult {
  readonly lines: readonly string[];
  /** Violations, as sentences. Empty if the scenario passed. */
  readonly problems: readonly string[];
}

export interface DriveSize {
  readonly bills: number;
  /** How many bills are created each second. */
  readonly perSecond: number;
}

export interface FaultEnd {
  /** The server to which the database has moved during the fault; undefined if the database has not moved. */
  readonly survivor?: Cluster;
  /** Violations during the fault, as sentences. */
  readonly problems?: readonly string[];
}
