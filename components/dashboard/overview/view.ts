import type { IconName } from '@/components/ui/icon';

// What the overview shows, in the reader's language and ready to be shown: the page's server makes it, and so does the address
// that it refreshes itself from. Nothing is put into words in the browser, whose knowledge of languages may be another one.

export interface LinkView {
  readonly href: string;
  readonly text: string;
}

export interface AttentionItemView {
  readonly kind: string;
  readonly tone: 'bad' | 'wait';
  /** How urgent it is, in words. */
  readonly severity: string;
  readonly title: string;
  readonly text: string;
  readonly links: readonly LinkView[];
}

export interface AttentionView {
  readonly title: string;
  /** Shown when there is nothing. */
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
  /** What it is compared with, and how it compares. */
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
  /** What it says in full. */
  readonly text: string;
}

export interface ChartView extends TableView {
  /** `days`: standing bars of amounts. The others lie: `shares` up to a hundred, `counts` as long as the longest. */
  readonly kind: 'days' | 'shares' | 'counts';
  /** Without any there is nothing to draw, and the text says so. */
  readonly points: readonly PointView[];
  /** What opens the table. */
  readonly open: string;
}

interface StepView {
  readonly step: string;
  readonly done: boolean;
  /** Whether it is, in a word. */
  readonly state: string;
  readonly title: string;
  readonly text: string;
  /** Null for whom it is not. */
  readonly link: LinkView | null;
}

export interface GuideView {
  readonly title: string;
  readonly text: string;
  readonly steps: readonly StepView[];
  /** The ends of mobile numbers and what happens; null where phones ring. */
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
  /** Null where nothing needs somebody but what the notice above every page says. */
  readonly attention: AttentionView | null;
  readonly guide: GuideView | null;
  /** Null as long as there is no bill. */
  readonly figures: FiguresView | null;
}
