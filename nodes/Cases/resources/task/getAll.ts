import { shapeTask } from '../../fields/output';
import { gettingList } from '../gettingMany';

export const getAll = gettingList('task', 'Get the tasks of a case, done or not', shapeTask);
