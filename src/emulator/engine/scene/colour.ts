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

/** The colours of a sky and of what is lit by it. */
export interface SkyPalette {
  readonly top: Colour;
  readonly middle: Colour;
  readonly horizon: Colour;
  readonly cloud: Colour;
  /** Sun or moon. */
  readonly disc: Colour;
  /** How much of its own colour the land keeps, 0 to 1. */
  readonly daylight: number;
}

/** The sky of a kind of light. */
export const skyPalette = (light: Light): SkyPalette => skies[light];

/** The colour of the nearest land of a kind. */
export const landColour = (land: Land): Colour => lands[land];

/** A sky around one hue, for prompts that name a colour or no light at all. */
export const skyOfHue = (hue: number, spread: number): SkyPalette => ({
  top: hsl(hue, 0.55, 0.32),
  middle: hsl(hue + spread / 2, 0.6, 0.56),
  horizon: hsl(hue + spread, 0.75, 0.78),
  cloud: hsl(hue + spread, 0.5, 0.88),
  disc: hsl(hue + spread * 1.5, 0.9, 0.9),
  daylight: 0.6,
});

/** Leans a sky towards a hue without losing its light. */
export const leanTowards = (sky: SkyPalette, hue: number): SkyPalette => ({
  ...sky,
  top: mix(sky.top, hsl(hue, 0.7, 0.3), 0.55),
  middle: mix(sky.middle, hsl(hue, 0.7, 0.52), 0.55),
  horizon: mix(sky.horizon, hsl(hue, 0.8, 0.74), 0.55),
});

const sky = (
  top: string,
  middle: string,
  horizon: string,
  cloud: string,
  disc: string,
  daylight: number,
): SkyPalette => ({
  top: hex(top),
  middle: hex(middle),
  horizon: hex(horizon),
  cloud: hex(cloud),
  disc: hex(disc),
  daylight,
});

const skies: Readonly<Record<Light, SkyPalette>> = {
  day: sky('#2467b8', '#6fb2e6', '#d9eef7', '#ffffff', '#fffbe0', 0.85),
  sunset: sky('#352a5e', '#c2506b', '#ffb463', '#ff9a76', '#fff0bd', 0.45),
  dawn: sky('#6f8fc4', '#e3b7c6', '#ffe3c4', '#fff1ea', '#fff7e4', 0.6),
  night: sky('#050a1f', '#12234d', '#33507e', '#2a3b66', '#f2f3e8', 0.22),
  storm: sky('#29323d', '#56626e', '#97a1a6', '#3c4650', '#d5dad9', 0.5),
};

const lands: Readonly<Record<Land, Colour>> = {
  hills: hex('#4f7f35'),
  mountains: hex('#47505c'),
  forest: hex('#1d4a2c'),
  ocean: hex('#0f4a63'),
  city: hex('#2b3040'),
  desert: hex('#c08244'),
  snow: hex('#e4eef5'),
};

/** What lights a scene. */
export type Light = 'day' | 'sunset' | 'dawn' | 'night' | 'storm';

/** What stands on the ground of a scene. */
export type Land = 'hills' | 'mountains' | 'forest' | 'ocean' | 'city' | 'desert' | 'snow';
