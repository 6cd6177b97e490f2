/** The labels that the studio gives its jobs. */
export const labels = {
  /** The gateway's lists can be filtered by it. */
  title: 'workflow',
  batch: 'studio.batch',
  cell: 'studio.cell',
  /** How many cells stand in a row of the grid. */
  columns: 'studio.columns',
  /** The place of a cell in the grid. */
  place: 'studio.place',
  prompt: 'studio.prompt',
} as const;
