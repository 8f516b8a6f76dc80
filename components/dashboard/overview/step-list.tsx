import { Badge } from '@/components/ui/badge';
import { TextLink } from '@/components/ui/links';
import type { StepView } from './present-steps';

/** Steps to take, with completed ones ticked off. */
export function StepList({ steps }: { readonly steps: readonly StepView[] }) {
  return (
    <ol className="grid">
      {steps.map(({ step, done, state, title, text, link }) => (
        <li key={step} data-step={step} className="border-t border-line py-3 first:border-0 first:pt-0">
          <div className="flex items-start justify-between gap-2">
            <h3 className={done ? 'text-muted' : 'font-semibold'}>{title}</h3>
            <span className="shrink-0">
              <Badge tone={done ? 'good' : 'quiet'} icon={done ? 'check' : 'circle'} text={state} />
            </span>
          </div>
          {!done && <p className="max-w-prose text-muted">{text}</p>}
          {link && (
            <TextLink href={link.href} className="inline-flex min-h-9 items-center">
              {link.text}
            </TextLink>
          )}
        </li>
      ))}
    </ol>
  );
}
