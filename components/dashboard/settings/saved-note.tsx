import { Icon } from '@/components/ui/icon';

/** Says beside a button that all is saved; screen readers hear it when it appears. */
export function SavedNote({ text }: { readonly text: string | null }) {
  return (
    <p role="status" className="flex items-center gap-2 font-semibold text-brand">
      {text !== null && (
        <>
          <Icon name="check" /> {text}
        </>
      )}
    </p>
  );
}
