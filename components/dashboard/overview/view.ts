import type { IconName } from '@/components/ui/icon';

// The content of the overview as translated texts. Both the page and the route that refreshes it create this on the server, because
// browsers format numbers and dates differently.

export interface LinkView {
  readonly href: string;
  readonly text: string;
}

export interface AttentionItemView {
  readonly kind: string;
  readonly tone: 'bad' | 'wait';
  /** The severity as a text. */
  readonly severity: string;
  readonly title: string;
  readonly text: string;
  readonly links: readonly LinkView[];
}

export interface AttentionView {
  readonly title: string;
  /** Shown if there are no items. */
  readonly calm: { readonly title: string; readonly text: string };
  readonly items: readonly AttentionItemView[];
}

export interface FactView {
  readonly term: string;
  readonly value: string;
}

export interface IntervalView {
  readonly interval: string;
  readonly title: string;
  readonly amount: string;
  readonly icon: IconName | null;
  /** The comparison with the previous interval. */
  readonly compared: string;
  readonly facts: readonly FactView[];
}

export interface TableView {
  readonly title: string;
  readonly text: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** One bar. */
interface PointView {
  readonly label: string;
  readonly value: number;
  /** The text of the bar. */
  readonly text: string;
}

export interface ChartView extends TableView {
  /**
   * `days` has vertical bars of amounts. The other charts have horizontal bars: `shares` from 0 to 100, `counts` relative to the largest.
   */
  readonly kind: 'days' | 'shares' | 'counts';
  /** Empty if there is nothing to draw. The text then says so. */
  readonly points: readonly PointView[];
  /** The label that opens the table. */
  readonly open: string;
}

interface StepView {
  readonly step: string;
  readonly done: boolean;
  /** The state as a text. */
  readonly state: string;
  readonly title: string;
  readonly text: string;
  /** Null if the viewer may not open it. */
  readonly link: LinkView | null;
}

export interface GuideView {
  readonly title: string;
  readonly text: string;
  readonly steps: readonly StepView[];
  /** The endings of test numbers and their effects; null in the live environment. */
  readonly numbers: TableView | null;
}

export interface FiguresView {
  readonly intervals: readonly IntervalView[];
  readonly periodTotal: string;
  readonly periodFacts: readonly FactView[];
  readonly charts: readonly ChartView[];
}

export interface OverviewView {
  readonly updated: string;
  readonly notUpdated: string;
  /** Null if there is nothing to show except what the page banner already says. */
  readonly attention: AttentionView | null;
  readonly guide: GuideView | null;
  /** Null until the first bill exists. */
  readonly figures: FiguresView | null;
}
