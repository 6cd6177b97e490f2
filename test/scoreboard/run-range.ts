import { figures } from './board.js';
import { reportRange } from './report-range.js';

/** One process of the board: plays a range of one figure and writes its tally as JSON. */
const [id, from, count] = process.argv.slice(2);
// Traces of errors that are expected cost a third of the time.
Error.stackTraceLimit = 0;
const figure = figures.find((one) => one.id === id);
if (figure === undefined) throw new Error(`there is no figure ${id}`);
const tally = await reportRange(figure, { from: Number(from), count: Number(count) });
process.stdout.write(JSON.stringify(tally));
