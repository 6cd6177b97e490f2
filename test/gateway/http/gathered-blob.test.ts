import { expect, it } from 'vitest';
import { gatheredBlob } from '../../../src/server/gateway/http/gathered-blob.js';

const mebi = 2 ** 20;
const piece = (bytes: number, value: number): Uint8Array => new Uint8Array(bytes).fill(value);

it('has all bytes in their order, whatever pieces they came in', async () => {
  const gathered = gatheredBlob();
  const sent = [piece(3, 1), piece(mebi, 2), piece(0, 3), piece(mebi - 1, 4), piece(1, 5), piece(7, 6)];
  for (const bytes of sent) gathered.add(bytes);
  const whole = new Uint8Array(await new Blob(gathered.parts()).arrayBuffer());
  expect(Buffer.compare(whole, Buffer.concat(sent))).toBe(0);
  expect(gatheredBlob().parts()).toEqual([]);
});

it('puts each mebibyte away as it comes, so that no turn of the event loop copies more', () => {
  const gathered = gatheredBlob();
  const kinds = () => gathered.parts().map((part) => (part instanceof Blob ? part.size : 'bytes'));
  gathered.add(piece(mebi - 1, 1));
  expect(kinds()).toEqual(['bytes']);
  gathered.add(piece(1, 1));
  expect(kinds()).toEqual([mebi]);
  gathered.add(piece(1, 1));
  expect(kinds()).toEqual([mebi, 'bytes']);
  gathered.add(piece(mebi, 1));
  expect(kinds()).toEqual([mebi, mebi + 1]);
});
