import { useEffect } from 'react';

/** While bills are only in the memory of the page, asks for confirmation before signing out, because they are lost with the page. */
export function useLeaveGuard(kept: number, question: string): void {
  useEffect(() => {
    if (kept === 0) return;
    const guard = (event: SubmitEvent) => {
      const form = event.target;
      if (!(form instanceof HTMLFormElement) || !form.action.endsWith('/api/auth/signout')) return;
      if (!window.confirm(question)) event.preventDefault();
    };
    document.addEventListener('submit', guard, true);
    return () => document.removeEventListener('submit', guard, true);
  }, [kept, question]);
}
