import { isUuid } from '@/lib/core/ids';
import type { AlertPosition } from './alert';

/** Writes a position for the address of the next page. */
export function formatPosition({ at, id }: AlertPosition): string {
  return `${at.getTime()}_${id}`;
}

/** Reads a position from an address. Returns null if it is invalid. */
export function parsePosition(text: string | null): AlertPosition | null {
  const [, ms = '', id = ''] = text?.match(/^(\d{1,15})_([\w-]+)$/) ?? [];
  const at = new Date(Number(ms));
  return isUuid(id) && !Number.isNaN(at.getTime()) ? { at, id } : null;
}
