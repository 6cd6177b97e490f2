/** Whose rules hold: those of engine 0.3.64, or the stricter ones of engines since 2026. */
export type Rules = '0.3.64' | '2026';
