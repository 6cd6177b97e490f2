import { scalarText } from '../values.js';

/** Finds the value of a widget by the name of its node (`%Name.widget%`); undefined if no node has it. */
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
    const found = find(name, widget);
    const value = found === null ? '' : scalarText(found);
    return value?.replace(/[/?<>\\:*|"\u0000-\u001F\u007F]/gu, '_') ?? match;
  });

const formatDate = (format: string, date: Date): string =>
  format.replace(/dd?|MM?|hh?|mm?|ss?|yyy?y?/gu, (part) => {
    const parts: Readonly<Record<string, number>> = {
      y: date.getFullYear(),
      d: date.getDate(),
      M: date.getMonth() + 1,
      h: date.getHours(),
      m: date.getMinutes(),
      s: date.getSeconds(),
    };
    const text = String(parts[part.charAt(0)]).padStart(part.length, '0');
    return part === 'yyy' ? part : part === 'yy' ? text.slice(2) : text;
  });

/** Whether the editor replaces in the `filename_prefix` of this class. */
export const replacesIn = (type: string): boolean => savers.test(type);

const savers =
  /^(?:Save(?:Image|ImageAdvanced|SVGNode|Video|AnimatedWEBP|AnimatedPNG|WEBM|Audio|AudioMP3|AudioOpus|AudioAdvanced|GLB|GaussianSplat|PointCloud|Latent)|Save3DAdvanced|(?:CLIP|VAE|Model|Lora)Save)$/u;
