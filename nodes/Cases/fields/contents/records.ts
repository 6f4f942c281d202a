import { isObject } from '../../api/json';
import type { Row } from '../../api/types';

/** The fields of a record type, those that all types have included. */
export const fieldsOfType = ({ record_fields, default_record_fields }: Row): Row[] =>
	[record_fields, default_record_fields].flat().filter(isObject);
