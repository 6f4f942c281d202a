import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { InvalidInput } from '../nodes/Cases/api/failures/failure';
import { NOT_THE_TENANT, remedyOf } from '../nodes/Cases/api/failures/failureTable';
import { CASES_PATH } from '../nodes/Cases/api/http/requests';
import { parseTenant } from '../nodes/Cases/api/http/tenant';
import { parseUrl } from '../nodes/Cases/api/http/url';

/** What 404 means in the credential test, which names no case. */
const NO_CASES = {
	message: 'Not found, or the API key has no access to cases',
	remedy:
		"In 'Base URL', remove what follows the host, such as /foo, unless your tenant is below that path. If the address is right, use a key that can read cases.",
};

export class CasesApi implements ICredentialType {
	name = 'casesApi';

	displayName = 'Cases API';

	icon: Icon = { light: 'file:../icons/cases.svg', dark: 'file:../icons/cases.dark.svg' };

	documentationUrl = 'https://www.tines.com/docs/api/authentication/';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://acme.example.com',
			description:
				'URL of your tenant, with or without /api/v2. The URL of one of its cases works too.',
		},
		{
			displayName: 'Authentication',
			name: 'authScheme',
			type: 'options',
			default: 'header',
			options: [
				{ name: 'Header (X-User-Token)', value: 'header' },
				{ name: 'Bearer (Authorization)', value: 'bearer' },
			],
			description: 'How the key is sent. The service accepts both.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			// Where n8n has end-user credentials, each user enters a key; the other fields are the same for all users.
			resolvableField: true,
			default: '',
			required: true,
			description:
				"Created in your team's Credentials (New credential), or on the API keys page of the settings. n8n stores it encrypted.",
		},
		{
			displayName:
				"A personal key sees and does what its user may. A team key sees its team's cases, a service key sees what a tenant owner granted, and a tenant owner key sees all cases; these three act as a service account.",
			name: 'notice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Allow Unencrypted HTTP',
			name: 'allowHttp',
			type: 'boolean',
			default: false,
			description:
				'Whether to allow a Base URL with http://. Others on the network could then read the key. Not needed for localhost.',
		},
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'ignoreSslIssues',
			type: 'boolean',
			default: false,
			description: "Whether to connect even if the service's certificate can't be verified",
		},
		{
			displayName: 'List Format in Requests (Advanced)',
			name: 'arrayFormat',
			type: 'options',
			default: 'brackets',
			options: [
				{ name: 'Brackets: tags[]=a&tags[]=b', value: 'brackets' },
				{ name: 'Comma: tags=a,b', value: 'comma' },
				{ name: 'Indices: tags[0]=a&tags[1]=b', value: 'indices' },
				{ name: 'Repeat: tags=a&tags=b', value: 'repeat' },
			],
			description:
				'How a filter with several values is sent. Change it only if the service rejects or ignores such filters.',
		},
	];

	/**
	 * Adds the key to a request, also for the HTTP Request node, and the content type that the service wants on requests
	 * without a body too. In the credential test, the base URL becomes the one that the nodes use.
	 * @throws InvalidInput when a field can't be used, or when the key would go to another origin; n8n shows only the
	 * message, so the message also says what to do
	 */
	authenticate: IAuthenticate = async (
		credentials: ICredentialDataDecryptedObject,
		// The HTTP Request node sends these instead of `url` and `body`.
		requestOptions: IHttpRequestOptions & { uri?: string; form?: object; formData?: object },
	) => {
		try {
			const { baseUrl, authHeader } = parseTenant(credentials);
			const { baseURL, uri, url = uri, body, form, formData, headers } = requestOptions;
			const { origin } = new URL(baseUrl);
			if (parseUrl(url ?? '', `${baseUrl}/`)?.origin !== origin) {
				const solution = `Enter a URL that begins with ${origin}/, or use another credential.`;
				throw new InvalidInput(`This credential sends its API key only to ${origin}`, solution);
			}
			const isWithoutBody = (body ?? form ?? formData) === undefined;
			return {
				...requestOptions,
				...(baseURL === undefined ? {} : { baseURL: baseUrl }),
				// A redirect could lead the key to another origin.
				...{ disableFollowRedirect: true, followRedirect: false, followAllRedirects: false },
				headers: {
					...(isWithoutBody ? { 'content-type': 'application/json' } : {}),
					...headers,
					...authHeader,
				},
			};
		} catch (error) {
			const { message, description } = error as InvalidInput;
			throw new InvalidInput(`${message}. ${description}`, '');
		}
	};

	test: ICredentialTestRequest = {
		request: {
			// n8n compares the host with the allowed domains before `authenticate` runs, so a missing https:// is added here too.
			baseURL: '={{ $credentials.baseUrl.trim().replace(/^(?!https?:\\/\\/)/i, "https://") }}',
			url: CASES_PATH,
			qs: { per_page: 1 },
			headers: { 'content-type': 'application/json' },
			skipSslCertificateValidation: '={{ $credentials.ignoreSslIssues }}',
		},
		// n8n evaluates rules of both types in one list; its TypeScript type knows only one of them.
		rules: [
			...[301, 302, 303, 307, 308, 401, 403, 404, 429, 500, 502, 503, 504].map((value) => {
				const { message, remedy } = value === 404 ? NO_CASES : remedyOf(value);
				const properties = { value, message: `${message}. ${remedy}` };
				return { type: 'responseCode' as const, properties };
			}),
			{
				type: 'responseSuccessBody' as const,
				properties: {
					key: 'cases',
					value: undefined,
					message: `The service answered without a list of cases. ${NOT_THE_TENANT}`,
				},
			},
		] as ICredentialTestRequest['rules'],
	};
}
