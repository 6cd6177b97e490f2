import type { ConformanceCase } from '../conformance-case.js';
import { notChecked } from './not-checked.js';

const waiting = 'it takes a queue in which jobs wait, and those may be of others';
const nodes = 'it takes a node class that not every server has';
const notPromised = 'the route is not promised';

/** Chapter 11 and 2.14: what no run checks, and why. */
export const localNotChecked: readonly ConformanceCase[] = [
  notChecked('L.7', 'number and front decide who is next', waiting),
  notChecked('L.10', 'one job runs at a time', waiting),
  notChecked(
    'L.12',
    'the record of an interrupted job',
    'it takes a job that runs long enough to interrupt it',
  ),
  notChecked('L.14', 'when the record is written', 'the moment is too short to be seen from outside'),
  notChecked('L.15', 'records end with the process', 'only the operator of the service can start it anew'),
  notChecked('L.35', 'which choices are checked', 'it is a fact of single releases'),
  notChecked('L.81', 'replacements before the checks', 'it takes a class that the server lacks and replaces'),
  notChecked('L.82', 'inputs of a replacement', 'it takes a class that the server lacks and replaces'),
  notChecked('L.83', 'links of a replacement', 'it takes a class that the server lacks and replaces'),
  notChecked('L.22', 'videos come under images', nodes),
  notChecked('L.60', 'previews of 3D models', nodes),
  notChecked('L.61', 'previews of the newer kind', nodes),
  notChecked('L.62', 'saved models', nodes),
  notChecked('L.63', 'saved texts', nodes),
  notChecked('L.90', 'comparisons of pictures', nodes),
  notChecked('L.64', 'metadata of files', 'no release is known to have it'),
  notChecked('L.25', 'a reconnect while a job runs', 'it takes a job that runs long enough to reconnect'),
  notChecked('L.27', 'bare NaN and Infinity', nodes),
  notChecked('L.37', 'nodes that become subgraphs', nodes),
  notChecked('L.38', 'nodes with lazy inputs', nodes),
  notChecked('L.29', 'when previews come', 'how the server was started can not be seen from outside'),
  notChecked('L.32', 'the logs of the engine', notPromised),
  notChecked('L.93', 'which output previews a job', nodes),
  notChecked('L.94', 'records without a status, and ids that came twice', 'no run makes such a record'),
  notChecked('L.95', 'keys of less common nodes', nodes),
  notChecked('L.97', 'views of what a page would run', 'it would leave such a file at the server'),
  notChecked('L.98', 'views in another form', 'it takes a picture that the server has'),
  notChecked('L.100', 'how numbers are read', 'it would submit jobs with the ids of others'),
  notChecked('L.101', 'what the server writes into extra_data', 'lists hide a part of it'),
  notChecked('L.103', 'links that always pass', nodes),
  notChecked('L.104', 'which steps are told', 'it takes a node of many steps'),
  notChecked('L.105', 'events of cached nodes', 'a cache may be empty or off'),
  notChecked('L.106', 'open work of the engine', 'no release has it'),
  notChecked('L.107', 'events of assets', 'it takes a server that keeps assets'),
  notChecked('L.109', 'a worker that has ended', 'only the operator of the service can start it anew'),
  notChecked('L.110', 'filters of assets', 'it takes a server that keeps assets'),
  notChecked('L.111', 'the replacements of a release', 'it is a fact of single releases'),
  notChecked('L.67', 'the header Server', 'a proxy may replace it'),
  notChecked('L.68', 'users', 'it would add a user, whom nothing removes'),
  notChecked('L.69', 'lists of files', notPromised),
  notChecked('L.70', 'folders of models on the disk', notPromised),
  notChecked('L.86', 'freeing memory', 'it would unload models that others use'),
];
