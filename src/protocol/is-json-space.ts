/** Whether JSON takes this character, a byte or a UTF-16 unit, for nothing where no string is. */
export const isJsonSpace = (code: number | undefined): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
