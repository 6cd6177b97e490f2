/** A colour as red, green, blue, each 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** Reads `#rrggbb`. */
export const hex = (text: string): Colour => [channel(text, 1), channel(text, 3), channel(text, 5)];

/** Mixes two colours; 0 is the first, 1 the second. */
export const mix = (a: Colour, b: Colour, share: number): Colour => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
];

/** Makes a colour from hue (0 to 1, round), saturation and lightness (0 to 1). */
export const hsl = (hue: number, saturation: number, lightness: number): Colour => {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number): number => {
    const k = (offset + (((hue % 1) + 1) % 1) * 12) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [part(0), part(8), part(4)];
};

const channel = (text: string, start: number): number => Number.parseInt(text.slice(start, start + 2), 16);
