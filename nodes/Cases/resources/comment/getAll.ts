import { shapeComment } from '../../fields/output';
import { gettingList } from '../gettingMany';

export const getAll = gettingList('comment', 'Get the comments of a case', shapeComment);
