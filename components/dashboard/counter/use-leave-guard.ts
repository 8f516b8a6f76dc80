import { useEffect } from 'react';

/** Asks for confirmation before signing out while this device keeps bills that are not sent: signing out removes them. */
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
