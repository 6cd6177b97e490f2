import { bitWriter, type BitWriter } from '../../../../src/emulator/engine/files/bit-writer.js';
import { describe, expect, it } from 'vitest';

const written = (write: (writer: BitWriter) => void): string => {
  const writer = bitWriter();
  write(writer);
  return [...writer.finish()].map((byte) => byte.toString(2).padStart(8, '0')).join(' ');
};

describe('bitWriter', () => {
  it('puts the most significant bit first and ends with a stop bit', () => {
    expect(written((writer) => writer.bits(0b101, 3))).toBe('10110000');
  });

  it('adds a whole byte for the stop bit where the bits before fill theirs', () => {
    expect(written((writer) => writer.bits(0xab, 8))).toBe('10101011 10000000');
  });

  it.each([
    [0, '1'],
    [1, '010'],
    [2, '011'],
    [3, '00100'],
    [7, '0001000'],
    [25, '000011010'],
  ])('writes %i as the unsigned code %s', (value, code) => {
    expect(
      written((writer) => writer.unsigned(value))
        .replaceAll(' ', '')
        .startsWith(`${code}1`),
    ).toBe(true);
  });

  it.each([
    [0, '1'],
    [1, '010'],
    [-1, '011'],
    [2, '00100'],
    [-2, '00101'],
  ])('writes %i as the signed code %s', (value, code) => {
    expect(
      written((writer) => writer.signed(value))
        .replaceAll(' ', '')
        .startsWith(`${code}1`),
    ).toBe(true);
  });

  it('aligns with zero bits before whole bytes', () => {
    const bits = written((writer) => {
      writer.bits(1, 1);
      writer.align();
      writer.bytes(Uint8Array.of(0xff, 0x01));
    });
    expect(bits).toBe('10000000 11111111 00000001 10000000');
  });

  it('writes 32 bits whose first one is set', () => {
    expect(written((writer) => writer.bits(0x80000001, 32))).toBe(
      '10000000 00000000 00000000 00000001 10000000',
    );
  });
});
