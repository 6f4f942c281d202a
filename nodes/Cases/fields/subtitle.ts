/**
 * The code that puts into words what matters of Filters, for the subtitle. n8n runs it as an
 * expression while a node is on the canvas. It reads the parameters as they are stored, because a value that is an
 * expression can't be resolved before a run. "length" is {@link WHOLE_COLLECTION}. "}}" would end the expression.
 */
export const FILTERS_IN_WORDS = `(raw) => {
	const isText = (value) => typeof value === "string" && value.trim() !== "" && value[0] !== "=";
	const isGiven = (value) =>
		typeof value === "object" && value !== null
			? Object.values(value).some(isGiven)
			: ["string", "number", "boolean"].includes(typeof value) && String(value).trim() !== "";
	const choices = (value) =>
		[value].flat().every((one) => typeof one === "string" && /^[A-Z]+$/.test(one))
			? [value].flat().map((one) => one[0] + one.slice(1).toLowerCase()).join(", ")
			: "";
	const quoted = (text) => '"' + (text.length > 20 ? text.slice(0, 20) + "…" : text) + '"';
	const words = {
		status: choices,
		priority: choices,
		assigned_to_me: (value) => (value === true ? "Assigned to Me" : ""),
		unassigned: (value) => (value === true ? "Unassigned" : ""),
		search: (value) => (isText(value) ? quoted(value) : ""),
		created_within: (value) => (isText(value) ? "created " + value : ""),
		resolved_within: (value) => (isText(value) ? "resolved " + value : ""),
		updated_within: (value) => (isText(value) ? "updated " + value : ""),
	};

	const filters = Object.entries(typeof raw.filters === "object" ? raw.filters ?? {} : {})
		.filter(([name, value]) => name !== "length" && isGiven(value));
	const shown = Object.keys(words)
		.flatMap((name) =>
			filters.filter((filter) => filter[0] === name).map((filter) => words[name](filter[1])))
		.filter((word) => word !== "");
	const rest = filters.length - shown.length;
	return [
		...shown,
		rest === 0 ? "" : (shown.length > 0 ? "+" : "") + rest + (rest === 1 ? " filter" : " filters"),
	];
}`;
