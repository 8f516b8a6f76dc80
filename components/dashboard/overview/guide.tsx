import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/layout';
import { TextLink } from '@/components/ui/links';
import { TableOf } from './figures';
import type { GuideView } from './present-overview';

/** The first steps, with completed ones ticked off, and the test numbers. */
export function Guide({ title: heading, text: intro, steps, numbers }: GuideView) {
  return (
    <div className={`grid items-start gap-4 ${numbers ? 'xl:grid-cols-2' : ''}`}>
      <Card id="guide" title={heading}>
        <p className="text-muted">{intro}</p>
        <ol className="mt-4 grid gap-4">
          {steps.map(({ step, done, state, title, text, link }) => (
            <li key={step} data-step={step} className="border-t border-line pt-4">
              <div className="flex items-start justify-between gap-2">
                <h3 className="font-semibold">{title}</h3>
                <span className="shrink-0">
                  <Badge tone={done ? 'good' : 'quiet'} icon={done ? 'check' : 'circle'} text={state} />
                </span>
              </div>
              <p className="mt-1 max-w-prose text-muted">{text}</p>
              {link && (
                <TextLink href={link.href} className="inline-flex min-h-9 items-center">
                  {link.text}
                </TextLink>
              )}
            </li>
          ))}
        </ol>
      </Card>
      {numbers && (
        <Card id="numbers" title={numbers.title}>
          <p className="mb-3 text-muted">{numbers.text}</p>
          <TableOf {...numbers} whole={false} />
        </Card>
      )}
    </div>
  );
}
