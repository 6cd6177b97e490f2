import { idOf } from './values.js';

/** Finds the value of a widget by the name of its node (`%Name.widget%`); undefined where there is none. */
export type FindWidgetValue = (nodeName: string, widget: string) => unknown;

/**
 * Replaces `%Name.widget%` by the value of that widget and `%date:…%` by the time; what it doesn't know stays for the
 * server (`%width%`, `%batch_num%`).
 */
export const replaceText = (text: string, find: FindWidgetValue, now: () => Date): string =>
  text.replace(/%([^%]+)%/gu, (match, inner: string) => {
    const [name = '', widget, ...more] = inner.split('.');
    if (widget === undefined || more.length > 0) {
      return name.startsWith('date:') ? formatDate(name.slice('date:'.length), now()) : match;
    }
    return textOf(find(name, widget))?.replace(/[/?<>\\:*|"\u0000-\u001F\u007F]/gu, '_') ?? match;
  });

const textOf = (value: unknown): string | undefined =>
  value === null ? '' : typeof value === 'boolean' ? String(value) : idOf(value);

const formatDate = (format: string, date: Date): string =>
  format.replace(/dd?|MM?|hh?|mm?|ss?|yyy?y?/gu, (part) => {
    if (part === 'yyyy') return String(date.getFullYear());
    if (part === 'yy') return String(date.getFullYear()).slice(2);
    const value = dateParts[part.charAt(0)]?.(date);
    return value === undefined ? part : String(value).padStart(part.length, '0');
  });

const dateParts: Readonly<Record<string, (date: Date) => number>> = {
  d: (date) => date.getDate(),
  M: (date) => date.getMonth() + 1,
  h: (date) => date.getHours(),
  m: (date) => date.getMinutes(),
  s: (date) => date.getSeconds(),
};

/** Whether the editor replaces in the `filename_prefix` of this class. */
export const replacesIn = (type: string): boolean => savers.test(type);

const savers =
  /^(?:Save(?:Image|ImageAdvanced|SVGNode|Video|AnimatedWEBP|AnimatedPNG|WEBM|Audio|AudioMP3|AudioOpus|AudioAdvanced|GLB|GaussianSplat|PointCloud|Latent)|Save3DAdvanced|(?:CLIP|VAE|Model|Lora)Save)$/u;
