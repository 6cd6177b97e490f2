import type { Picture } from './node-class.js';

/** How {@link resize} finds the colour of a new pixel. */
export interface ResizeOptions {
  readonly width: number;
  readonly height: number;
  /** `nearest-exact` takes the nearest pixel, the others mix; `area` means the average of the pixels that it covers. */
  readonly method?: string;
  /** `center` cuts the picture to the new shape first; `disabled` squeezes it. */
  readonly crop?: string;
}

/** Makes a picture of another size. */
export const resize = (
  picture: Picture,
  { width, height, method = 'bilinear', crop = 'disabled' }: ResizeOptions,
): Picture => {
  const source = crop === 'center' ? centre(picture, width / height) : picture;
  const across = taps(source.width, width, method);
  const down = taps(source.height, height, method);
  return { width, height, rgb: mixed(source, across, down) };
};

/** For one row or column of the result: which ones of the source it takes, and how much of each. */
interface Tap {
  readonly at: readonly number[];
  readonly weight: readonly number[];
}

const taps = (from: number, to: number, method: string): readonly Tap[] =>
  Array.from({ length: to }, (_, index) =>
    tapOf(((index + 0.5) * from) / to, from, Math.max(1, from / to), method),
  );

/** A tent over the source, as wide as one new pixel; a box for `area`, one pixel for `nearest-exact`. */
const tapOf = (centreOf: number, size: number, scale: number, method: string): Tap => {
  if (method === 'nearest-exact') return { at: [Math.min(size - 1, Math.floor(centreOf))], weight: [1] };
  const reach = method === 'area' ? scale / 2 : scale;
  const first = Math.max(0, Math.floor(centreOf - reach));
  const last = Math.min(size - 1, Math.ceil(centreOf + reach));
  const at = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const raw = at.map((pixel) => {
    const distance = Math.abs(pixel + 0.5 - centreOf);
    return method === 'area'
      ? Math.max(0, Math.min(1, reach + 0.5 - distance))
      : Math.max(0, 1 - distance / reach);
  });
  const sum = raw.reduce((total, weight) => total + weight, 0);
  return {
    at: at.filter((_, index) => raw[index] !== 0),
    weight: raw.filter((weight) => weight !== 0).map((weight) => weight / sum),
  };
};

/** Rows first, then columns, so that the work grows with the sum of both reaches. */
const mixed = (source: Picture, across: readonly Tap[], down: readonly Tap[]): Uint8Array => {
  const width = across.length;
  const between = new Float32Array(width * source.height * 3);
  for (let y = 0, to = 0; y < source.height; y += 1) {
    for (const { at, weight } of across) {
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let tap = 0; tap < at.length; tap += 1) {
        const from = (y * source.width + (at[tap] ?? 0)) * 3;
        const share = weight[tap] ?? 0;
        red += (source.rgb[from] ?? 0) * share;
        green += (source.rgb[from + 1] ?? 0) * share;
        blue += (source.rgb[from + 2] ?? 0) * share;
      }
      between[to++] = red;
      between[to++] = green;
      between[to++] = blue;
    }
  }
  const rgb = new Uint8Array(width * down.length * 3);
  let to = 0;
  for (const { at, weight } of down) {
    for (let x = 0; x < width * 3; x += 1) {
      let sum = 0;
      for (let tap = 0; tap < at.length; tap += 1) {
        sum += (between[(at[tap] ?? 0) * width * 3 + x] ?? 0) * (weight[tap] ?? 0);
      }
      rgb[to++] = Math.round(Math.min(255, sum));
    }
  }
  return rgb;
};

const centre = (picture: Picture, ratio: number): Picture => {
  const width = Math.max(1, Math.min(picture.width, Math.round(picture.height * ratio)));
  const height = Math.max(1, Math.min(picture.height, Math.round(picture.width / ratio)));
  const left = Math.floor((picture.width - width) / 2);
  const top = Math.floor((picture.height - height) / 2);
  return cut(picture, { left, top, width, height });
};

/** Cuts a rectangle out of a picture. */
export const cut = (
  picture: Picture,
  {
    left,
    top,
    width,
    height,
  }: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
): Picture => {
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    const start = ((top + y) * picture.width + left) * 3;
    rgb.set(picture.rgb.subarray(start, start + width * 3), y * width * 3);
  }
  return { width, height, rgb };
};
