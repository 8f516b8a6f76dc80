import { Icon } from '@/components/ui/icon';

/** Says next to a button that everything is saved. Screen readers read it when it appears. */
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
