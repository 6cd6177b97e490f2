/** A number of things in words: `1 value`, `2 values`. */
export const counted = (many: number, what: string): string => `${many} ${what}${many === 1 ? '' : 's'}`;
