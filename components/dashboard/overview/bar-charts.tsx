'use client';

import { Bar, BarChart, CartesianGrid, LabelList, ResponsiveContainer, Tooltip, type TooltipContentProps, XAxis, YAxis } from 'recharts';
import { chartHeight, END_WIDTH, fullLength, LABEL_WIDTH } from './plain-chart';
import type { ChartView } from './present-charts';

const AXIS = { stroke: 'var(--color-edge)', tick: { fill: 'var(--color-muted)', fontSize: 12 }, tickLine: false } as const;
const HOVER = { fill: 'var(--color-brand-soft)' } as const;
const compact = new Intl.NumberFormat('en', { notation: 'compact' });

/** An interactive chart. The arrow keys or the pointer select a bar, and its text is read out. */
export default function BarCharts({ chart }: { readonly chart: ChartView }) {
  return (
    <ResponsiveContainer width="100%" height={chartHeight(chart)}>
      {chart.kind === 'days' ? <DayBars chart={chart} /> : <HorizontalBars chart={chart} />}
    </ResponsiveContainer>
  );
}

function DayBars({ chart }: { readonly chart: ChartView }) {
  return (
    <BarChart data={chart.points} title={chart.title} desc={chart.text} margin={{ top: 8, right: 4, bottom: 0, left: 0 }}>
      <CartesianGrid vertical={false} stroke="var(--color-line)" />
      <XAxis dataKey="label" {...AXIS} minTickGap={24} />
      <YAxis {...AXIS} axisLine={false} width={48} tickFormatter={(value: number) => compact.format(value)} />
      <Tooltip cursor={HOVER} content={BarTooltip} isAnimationActive={false} />
      <Bar dataKey="value" fill="var(--color-brand)" radius={[3, 3, 0, 0]} isAnimationActive={false} />
    </BarChart>
  );
}

function HorizontalBars({ chart }: { readonly chart: ChartView }) {
  return (
    <BarChart
      layout="vertical"
      data={chart.points}
      title={chart.title}
      desc={chart.text}
      margin={{ top: 0, right: END_WIDTH, bottom: 0, left: 0 }}
    >
      <XAxis type="number" hide domain={[0, fullLength(chart)]} />
      <YAxis type="category" dataKey="label" {...AXIS} axisLine={false} width={LABEL_WIDTH} interval={0} />
      <Tooltip cursor={HOVER} content={BarTooltip} isAnimationActive={false} />
      <Bar
        dataKey="value"
        fill="var(--color-brand)"
        background={{ fill: 'var(--color-sunken)', radius: 3 }}
        radius={[0, 3, 3, 0]}
        barSize={20}
        isAnimationActive={false}
      >
        <LabelList dataKey="text" position="right" fill="var(--color-ink)" fontSize={12} />
      </Bar>
    </BarChart>
  );
}

function BarTooltip({ active, payload }: TooltipContentProps) {
  const point: unknown = payload[0]?.payload;
  if (!active || !isPoint(point)) return null;
  return (
    <div role="status" className="rounded-lg border border-line bg-surface px-3 py-2 text-sm shadow-lg">
      <p className="text-muted">{point.label}</p>
      <p className="font-semibold">{point.text}</p>
    </div>
  );
}

function isPoint(value: unknown): value is { readonly label: string; readonly text: string } {
  return typeof value === 'object' && value !== null && 'label' in value && 'text' in value;
}
