/** How many times as many cases the properties of values try as in `npm test`. */
export const PROPERTY_TIMES = Number(process.env.PROPERTY_TIMES ?? 1);
