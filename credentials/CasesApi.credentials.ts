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
import { CASES_PATH } from '../nodes/Cases/api/http/requests';
import { readTenant } from '../nodes/Cases/api/http/tenant';

/** What the credential test says about an answer with one of these statuses. */
const STATUS_MESSAGES: Array<[statuses: number[], message: string]> = [
	[
		[301, 302, 303, 307, 308],
		"The Base URL redirects to another URL. Open it in a browser. If you end up at your tenant, enter that URL here. Redirects are not followed, so that the key isn't sent elsewhere.",
	],
	[
		[401],
		"The service refused the API key. Check that the key is complete and current. If it is, choose the other option under 'Authentication'.",
	],
	[[403], 'The API key may not list cases. Use another key, or ask a tenant owner for access.'],
	[
		[404],
		'No case list found at the Base URL. Check the URL. If it is right, the API key has no access to cases: use another key, or ask a tenant owner for access.',
	],
	[[429], 'Rate limit reached. Wait a minute, then test again.'],
	[
		[500, 502, 503, 504],
		"The service failed to answer. Test again later. If it keeps happening, check the Base URL, or contact the service's administrator.",
	],
];

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
			// Where n8n has end-user credentials, each user gives a key of their own; the rest is the same for all.
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
	 * Adds the key to a request as the API documents it, also for the HTTP Request node. n8n calls it in the test too,
	 * and shows the message of what it throws. Only the test has a base URL; it becomes the one that the nodes use.
	 * @throws InvalidInput when a field can't be used, with what to do in its message
	 */
	authenticate: IAuthenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	) => {
		const tenant = readTenant(credentials);
		if (tenant instanceof InvalidInput) throw tenant;
		return {
			...requestOptions,
			...(requestOptions.baseURL === undefined ? {} : { baseURL: tenant.baseUrl }),
			headers: { ...requestOptions.headers, ...tenant.authHeader },
		};
	};

	test: ICredentialTestRequest = {
		request: {
			// n8n compares its host with the allowed domains before `authenticate` reads it as the nodes do.
			baseURL: '={{ $credentials.baseUrl.trim().replace(/^(?!https?:\\/\\/)/i, "https://") }}',
			url: CASES_PATH,
			qs: { per_page: 1 },
			headers: { 'content-type': 'application/json' },
			disableFollowRedirect: true,
			skipSslCertificateValidation: '={{ $credentials.ignoreSslIssues }}',
		},
		// n8n evaluates both kinds of rules; its type knows lists of one kind only.
		rules: [
			...STATUS_MESSAGES.flatMap(([statuses, message]) =>
				statuses.map((value) => ({ type: 'responseCode', properties: { value, message } })),
			),
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'cases',
					value: undefined,
					message:
						"The Base URL answers, but it isn't the Cases API. Enter the URL of your tenant, not of a login page or another service.",
				},
			},
		] as unknown as ICredentialTestRequest['rules'],
	};
}
