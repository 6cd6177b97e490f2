import type { Picture } from './node-class.js';

/** A colour by its red, green and blue, 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** A colour of a picture, and how many pixels have it. */
interface Counted {
  readonly colour: Colour;
  readonly count: number;
}

/** Colours that one of the palette stands for. */
interface Box {
  readonly colours: readonly Counted[];
  readonly pixels: number;
}

const channels = [0, 1, 2] as const;

/** The colours that a picture is best shown with, at most so many: it keeps all of its own where they are few enough (median cut). */
export const paletteOf = (picture: Picture, most: number): readonly Colour[] => {
  let boxes: readonly Box[] = [boxOf(countedColours(picture))];
  while (boxes.length < most) {
    const divisible = boxes.filter(({ colours }) => colours.length > 1);
    if (divisible.length === 0) break;
    const first = divisible.reduce((one, other) => (other.pixels > one.pixels ? other : one));
    boxes = boxes.flatMap((box) => (box === first ? halves(box) : [box]));
  }
  return boxes.map(meanOf);
};

const boxOf = (colours: readonly Counted[]): Box => ({
  colours,
  pixels: colours.reduce((sum, { count }) => sum + count, 0),
});

const countedColours = ({ rgb }: Picture): readonly Counted[] => {
  const counts = new Map<number, number>();
  for (let at = 0; at < rgb.length; at += 3) {
    const key = keyOf(rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => ({ colour: [key >> 16, (key >> 8) & 255, key & 255], count }));
};

const keyOf = (red: number, green: number, blue: number): number => (red << 16) | (green << 8) | blue;

/** Divides a box at the middle pixel of its longest edge; each half has a colour at least. */
const halves = ({ colours, pixels }: Box): readonly Box[] => {
  const spreads = channels.map((channel) => {
    const values = colours.map(({ colour }) => colour[channel]);
    const most = values.reduce((one, other) => Math.max(one, other));
    return most - values.reduce((one, other) => Math.min(one, other));
  });
  const edge = channels.reduce<0 | 1 | 2>(
    (longest, channel) => ((spreads[channel] ?? 0) > (spreads[longest] ?? 0) ? channel : longest),
    0,
  );
  const sorted = colours.toSorted((one, other) => one.colour[edge] - other.colour[edge]);
  let passed = 0;
  const middle = sorted.findIndex(({ count }) => (passed += count) >= pixels / 2) + 1;
  const at = Math.min(sorted.length - 1, middle);
  return [boxOf(sorted.slice(0, at)), boxOf(sorted.slice(at))];
};

const meanOf = ({ colours, pixels }: Box): Colour => {
  const mean = (channel: 0 | 1 | 2): number =>
    Math.round(colours.reduce((sum, { colour, count }) => sum + colour[channel] * count, 0) / pixels);
  return [mean(0), mean(1), mean(2)];
};

/** Finds the nearest colour of a palette, and remembers it for each colour that it was asked for. */
export const nearestOf = (
  palette: readonly Colour[],
): ((red: number, green: number, blue: number) => Colour) => {
  const found = new Map<number, Colour>();
  return (red, green, blue) => {
    const key = keyOf(red, green, blue);
    const known = found.get(key);
    if (known) return known;
    const distance = ([r, g, b]: Colour): number => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    const nearest = palette.reduce((best, colour) => (distance(colour) < distance(best) ? colour : best));
    found.set(key, nearest);
    return nearest;
  };
};
