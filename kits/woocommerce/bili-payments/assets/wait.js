(() => {
  const PAUSE_MS = 5000;
  const END_MS = 15 * 60 * 1000;
  const box = document.querySelector('[data-bili-address]');
  const status = box?.querySelector('[role=status]');
  const form = box?.querySelector('form');
  const link = box?.querySelector('a[data-rest]');
  if (!box || !status) return;
  const end = Date.now() + END_MS;

  async function look() {
    try {
      const answer = await fetch(box.dataset.biliAddress, { cache: 'no-store' });
      if (answer.ok) {
        const { paid, text, again, rest } = await answer.json();
        if (status.textContent !== text) status.textContent = text;
        if (form) form.hidden = !again;
        if (rest && link) link.textContent = link.dataset.rest;
        // The order page of a paid order.
        if (paid) return window.location.reload();
      }
    } catch {
      // No connection: the next look may succeed.
    }
    if (Date.now() < end) setTimeout(look, PAUSE_MS);
  }

  setTimeout(look, PAUSE_MS);
})();
