import { updateForm, updating } from './updates';

const show = { resource: ['case'], operation: ['reopen'] };

export const fields = updateForm(show, 'The case to reopen');

export const execute = updating(() => ({ status: 'open' }));
