import { truncated } from './stop-reading.js';

/** Bytes of a file, with checked access: reading beyond them ends the search as `truncated`. */
export class Bytes {
  readonly raw: Uint8Array;
  readonly #view: DataView;

  constructor(raw: Uint8Array) {
    this.raw = raw;
    this.#view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  }

  get length(): number {
    return this.raw.length;
  }

  u8(at: number): number {
    return this.#upTo(at + 1).getUint8(at);
  }

  u16(at: number, littleEndian = false): number {
    return this.#upTo(at + 2).getUint16(at, littleEndian);
  }

  u32(at: number, littleEndian = false): number {
    return this.#upTo(at + 4).getUint32(at, littleEndian);
  }

  /** Rounded beyond 2^53, where no file ends. */
  u64(at: number, littleEndian = false): number {
    return Number(this.#upTo(at + 8).getBigUint64(at, littleEndian));
  }

  /** An unsigned integer of so many bytes, big endian; 0 for none. */
  uint(at: number, width: number): number {
    let value = 0;
    for (let index = 0; index < width; index += 1) value = value * 256 + this.u8(at + index);
    return value;
  }

  /** One character a byte; as far as there are bytes. */
  latin1(start: number, end: number): string {
    return String.fromCharCode(...this.raw.subarray(start, end));
  }

  #upTo(end: number): DataView {
    if (end > this.raw.length) throw truncated();
    return this.#view;
  }
}

/** One array of all parts. */
export const joinBytes = (parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};
