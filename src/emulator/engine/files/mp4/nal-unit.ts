/**
 * Wraps a payload as a NAL unit: a header byte, then the payload with an emulation prevention byte wherever it could be
 * taken for a start code.
 */
export const nalUnit = (importance: number, type: number, payload: Uint8Array): Uint8Array => {
  const unit = new Uint8Array(1 + payload.length + Math.ceil(payload.length / 2));
  unit[0] = (importance << 5) | type;
  let length = 1;
  let zeros = 0;
  for (const byte of payload) {
    if (zeros === 2 && byte <= 3) {
      unit[length++] = 3;
      zeros = 0;
    }
    unit[length++] = byte;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return unit.slice(0, length);
};
