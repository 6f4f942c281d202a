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

/** Statuses of an answer for which the credential test shows a message that says what to do. */
const STATUSES = [301, 302, 303, 307, 308, 401, 403, 404, 429, 500, 502, 503, 504];

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
				'How to create one, and what each kind sees, is below. n8n stores the key encrypted.',
		},
		{
			displayName:
				"Create a key in your team's Credentials (New credential), or on the API keys page of the settings. A personal key sees what its user can access, and the service records that this user made the changes. A team key sees its team's cases, a service key sees what a tenant owner granted, and a tenant owner key sees all cases; with these three, the service records a service account.",
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
	 * Adds the key to a request, also for the HTTP Request node. In the credential test, the base URL becomes the one
	 * that the nodes use.
	 * @throws InvalidInput when a field can't be used; n8n shows only the message, so the message also says what to do
	 */
	authenticate: IAuthenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	) => {
		try {
			const { baseUrl, authHeader } = parseTenant(credentials);
			return {
				...requestOptions,
				...(requestOptions.baseURL === undefined ? {} : { baseURL: baseUrl }),
				headers: { ...requestOptions.headers, ...authHeader },
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
			disableFollowRedirect: true,
			skipSslCertificateValidation: '={{ $credentials.ignoreSslIssues }}',
		},
		// n8n evaluates rules of both types in one list; its TypeScript type knows only one of them.
		rules: [
			...STATUSES.map((value) => {
				const { message, remedy } = remedyOf(value);
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
