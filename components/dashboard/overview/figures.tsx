import { DayChart } from './day-chart';
import { CollectedCard, SuccessCard, UnpaidCard } from './figure-cards';
import { HourChart } from './hour-chart';
import { NetworkCard } from './network-card';
import type { FiguresView } from './present-overview';

/**
 * The figures and charts of the chosen days. On a phone the charts are beside each other, each as wide as the screen allows, so that the
 * page stays short: people swipe from one to the next.
 */
export function Figures({ collected, unpaid, success, charts, days, networks, hours }: FiguresView) {
  return (
    <>
      <div className="grid gap-3 sm:gap-4 md:grid-cols-2 xl:grid-cols-[1.1fr_1fr_1fr] [&>:first-child]:md:col-span-2 [&>:first-child]:xl:col-span-1">
        <CollectedCard {...collected} />
        <UnpaidCard {...unpaid} />
        <SuccessCard {...success} />
      </div>
      <section
        aria-label={charts}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: charts without data contain nothing else by which the keyboard could scroll.
        tabIndex={0}
        className="relative -mx-3 flex snap-x snap-mandatory scroll-px-3 gap-3 overflow-x-auto px-3 *:grid *:w-[92%] *:shrink-0 *:snap-start *:grid-cols-[minmax(0,1fr)] md:mx-0 md:grid md:grid-cols-2 md:gap-4 md:overflow-visible md:px-0 md:*:w-auto xl:grid-cols-3"
      >
        <div className="md:col-span-2 [&>section]:flex [&>section]:flex-col">
          <DayChart {...days} />
        </div>
        <div className="[&>section]:flex [&>section]:flex-col">
          <NetworkCard {...networks} />
        </div>
        <div className="xl:col-span-3">
          <HourChart {...hours} />
        </div>
      </section>
    </>
  );
}
