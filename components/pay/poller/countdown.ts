import { find } from './elements';

let timer: ReturnType<typeof setInterval> | undefined;

/** Counts down the time that is left for the prompt. It uses `performance.now()`, because the clock of the device may be wrong. */
export function showCountdown(): void {
  clearInterval(timer);
  const element = find('#left');
  if (!element) return;
  const end = performance.now() + Number(element.dataset.ms);
  const tick = () => {
    const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1e3));
    element.textContent = `${Math.floor(seconds / 60)}:${`0${seconds % 60}`.slice(-2)}`;
    if (!seconds) clearInterval(timer);
  };
  tick();
  timer = setInterval(tick, 1e3);
}
