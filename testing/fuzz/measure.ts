import { cpuMs } from '../process-cpu';
import { type Answer, isTooLarge, send } from './client';
import { type Field, fill, type HttpRequest, type Kind, SENDER, shapesOf, sizeOf } from './field';
import { COST_MAX_MS, FLOOR_MS, judge } from './judge';
import { HEAD_SHAPES, type Shape } from './shapes';
import type { Stage } from './stage';

/** Bytes. The search for the largest accepted body fails here, because every route must refuse a body of this size. */
const SIZE_MAX = 16 * 1024 * 1024;
/** The number of requests after which throttle counters are reset. The strictest counter allows five. */
const TRIES = 4;
/** How often a suspicious request is repeated. The lowest cost counts. */
const REPEATS = 3;
/** The maximum cost of an ordinary request, milliseconds. Anything above counts as the cost of the field. */
const USUAL_MS = 30;

/** Sends requests to the web process one at a time, and measures their cost. */
export class Fuzzer {
  readonly #stage: Stage;
  readonly #pid: number;
  readonly #limits = new Map<Kind, number>();
  #sent = 0;
  #spent: number;

  /** @param pid the web process. */
  constructor(stage: Stage, pid: number) {
    this.#stage = stage;
    this.#pid = pid;
    this.#spent = this.#cpu();
  }

  /** Sends every shape in a field at its largest accepted size. Returns a sentence for each shape that costs too much. */
  async fuzz(field: Field): Promise<string[]> {
    const samples: { readonly shape: Shape; readonly cost: number }[] = [];
    for (const shape of shapesOf(field)) samples.push({ shape, cost: await this.#measure(field, shape, 1) });
    const limit = Math.min(USUAL_MS, ...samples.map(({ cost }) => cost)) + FLOOR_MS;
    const found: string[] = [];
    for (const [at, { shape, cost }] of samples.entries()) {
      // If the process continues to work after it has answered a request, the cost of that work is added to the next request. So the
      // request before a suspicious request is suspicious too.
      if (cost > limit || (samples[at + 1]?.cost ?? 0) > limit) found.push(...(await this.#examine(field, shape, limit)));
    }
    return found;
  }

  /** Returns a sentence if a plausible request is refused, because then the field may never have been parsed. */
  async check({ name, control }: Field): Promise<string[]> {
    if (!control) return [];
    const request = control();
    const { status, location } = await this.#request(request);
    const signedOut = location.startsWith('/sign-in') && request.headers.cookie === this.#stage.sessions.owner;
    return status >= 400 || signedOut ? [`${name}: a plausible request was answered ${status} ${location}`] : [];
  }

  /**
   * Repeats a suspicious measurement. If one repetition is cheap, the field is fine: a slow parser costs time in each repetition, other
   * work only in some of them.
   */
  async #examine(field: Field, shape: Shape, limit: number): Promise<string[]> {
    const full: number[] = [];
    while (full.length < REPEATS && !full.some((cost) => cost > 4 * COST_MAX_MS)) {
      const cost = await this.#measure(field, shape, 1);
      if (cost <= limit) return [];
      full.push(cost);
    }
    const half = await this.#repeat(field, shape, 1 / 2);
    const small = await this.#repeat(field, shape, 1 / 32);
    const verdict = judge({ full, half, small });
    if (verdict === 'fine' || (verdict === 'grows too fast' && field.large !== undefined)) return [];
    const [whole, part, nothing] = [full, half, small].map((costs) => `${Math.round(Math.min(...costs))} ms`);
    return [`${field.name}, ${shape.name}: ${verdict}: ${whole}; ${part} for half of it, ${nothing} for next to nothing`];
  }

  async #repeat(field: Field, shape: Shape, part: number): Promise<number[]> {
    const costs = [await this.#measure(field, shape, part)];
    while (costs.length < REPEATS && Math.min(...costs) < COST_MAX_MS) costs.push(await this.#measure(field, shape, part));
    return costs;
  }

  /** Sends a shape in a field. Returns the processor time that the web process has used since the last measurement, milliseconds. */
  async #measure(field: Field, shape: Shape, part: number): Promise<number> {
    const answer = await this.#request(fill(field, shape, { limit: await this.#limitOf(field), part }));
    if (isTooLarge(answer)) throw new Error(`${field.name}, ${shape.name}: larger than what is accepted`);
    const before = this.#spent;
    this.#spent = this.#cpu();
    return this.#spent - before;
  }

  #cpu(): number {
    const spent = cpuMs(this.#pid);
    if (spent === null) throw new Error('this system does not say how much of the processor a process has used');
    return spent;
  }

  /** Returns the largest size in bytes that a request may have, which depends on the field's kind. Searches for it once for each kind. */
  async #limitOf(field: Field): Promise<number> {
    const { kind, large, own } = field;
    if (own) return sizeOf(field.request(''), kind) + own.most;
    const known = this.#limits.get(kind);
    if (known !== undefined) return known;
    const [shape] = HEAD_SHAPES;
    if (!shape) throw new Error('there are shapes');
    const letters = { ...field, encode: (text: string) => text };
    const fits = async (size: number) => !isTooLarge(await this.#request(fill(letters, shape, { limit: size })));
    const least = sizeOf(field.request(''), kind);
    let [low, high] = large === undefined ? [least, 2 * least + 8_000] : [large, large + 1];
    if (large !== undefined && !(await fits(large))) throw new Error(`${kind}: less than ${large} bytes are accepted`);
    while (await fits(high)) {
      if (high >= SIZE_MAX) throw new Error(`${kind}: no size is refused, so it is unknown whether the fields are parsed`);
      [low, high] = [high, high * 2];
    }
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (await fits(middle)) low = middle;
      else high = middle;
    }
    this.#limits.set(kind, low);
    this.#spent = this.#cpu();
    return low;
  }

  /** Sends from a new address with reset throttle counters, so that no request is refused because of earlier ones. */
  async #request(request: HttpRequest): Promise<Answer> {
    this.#sent += 1;
    const from = `10.${[10_000, 100, 1].map((unit) => 100 + (Math.floor(this.#sent / unit) % 100)).join('.')}`;
    if (this.#sent % TRIES === 0) await this.#stage.runtime.db.query({ text: 'DELETE FROM throttle' });
    const answer = await send(this.#stage.ports, { ...request, headers: { [SENDER]: from, ...request.headers } });
    const renewed = request.renews && answer.cookies.find((cookie) => /\.session=[^;]/.test(cookie));
    if (renewed) this.#stage.sessions.owner = renewed.split(';')[0] ?? '';
    return answer;
  }
}
