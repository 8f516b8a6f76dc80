import { find } from './elements';

let timer: ReturnType<typeof setInterval> | undefined;

/**
 * Shows how much time is left to answer the prompt, instead of the time of day when it expires. The ring around the picture of a phone
 * becomes shorter with the time that is left. At the end it turns, because only the network's answer decides then. Measures the time by `performance.now()`, because the clock of the device may be wrong.
 */
export function showCountdown(): void {
  clearInterval(timer);
  const left = find('#left');
  const label = find('#by');
  if (!left || !label) return;
  const end = performance.now() + Number(left.dataset.ms);
  const ring = find<SVGElement>('#ring');
  label.textContent = label.dataset.left || '';
  const tick = () => {
    const ms = Math.max(0, end - performance.now());
    const seconds = Math.ceil(ms / 1e3);
    left.textContent = ms ? `${Math.floor(seconds / 60)}:${`0${seconds % 60}`.slice(-2)}` : '';
    if (ring) ring.style.strokeDashoffset = `${100 - (100 * ms) / Number(left.dataset.of)}`;
    if (ms) return;
    clearInterval(timer);
    label.textContent = label.dataset.over || '';
    if (ring) ring.setAttribute('class', 'turn');
  };
  tick();
  timer = setInterval(tick, 1e3);
}
